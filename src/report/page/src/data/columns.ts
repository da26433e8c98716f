// The columns of the page, unpacked when they are first asked for: the first picture needs three of them.
import { bytesOfBase64, inflated, unpackedColumn, unpackedNumbers, type Values } from "./decode";
import type { ColumnInfo } from "./payload";

export class Columns {
  private readonly loaded = new Map<string, Values>();
  private readonly loading = new Map<string, Promise<Values>>();

  /// `blockText` hands out the base64 of a block, and may forget it.
  constructor(
    readonly infos: readonly ColumnInfo[],
    readonly points: number,
    private readonly blockText: (id: string) => string,
  ) {}

  info(key: string): ColumnInfo | undefined {
    return this.infos.find((info) => info.key === key);
  }

  values(key: string): Promise<Values> {
    let promise = this.loading.get(key);
    if (!promise) {
      promise = this.load(key);
      this.loading.set(key, promise);
    }
    return promise;
  }

  /// What is there already.
  present(key: string): Values | undefined {
    return this.loaded.get(key);
  }

  /// The number of each point in the user's data, counted from 0.
  async numbers(): Promise<Uint32Array> {
    this.numbersPromise ??= inflated(bytesOfBase64(this.blockText("numbers"))).then(unpackedNumbers);
    return this.numbersPromise;
  }

  private numbersPromise: Promise<Uint32Array> | undefined;

  private async load(key: string): Promise<Values> {
    const info = this.info(key);
    if (!info) {
      throw new Error(`the page has no column ${key}`);
    }
    const values = unpackedColumn(await inflated(bytesOfBase64(this.blockText(info.block))), info);
    this.loaded.set(key, values);
    return values;
  }
}
