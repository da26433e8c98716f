// Columns as src/report/packed_column.cpp packed them, back into numbers.
import type { ColumnInfo } from "./payload";

export type Values = Float32Array | Float64Array;

interface FromBase64 {
  fromBase64?: (text: string) => Uint8Array;
}

export function bytesOfBase64(text: string): Uint8Array {
  const native = (Uint8Array as FromBase64).fromBase64; // from 2025 on
  if (native) {
    return native.call(Uint8Array, text);
  }
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = characters.charCodeAt(i);
  }
  return bytes;
}

export async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// Words of `size` <= 4 bytes, of which all lowest bytes come first, then all second ones, and so on.
function words(bytes: Uint8Array, size: number): Uint32Array {
  const count = bytes.length / size;
  const result = new Uint32Array(count);
  for (let place = 0; place < size; place++) {
    const first = place * count;
    const shift = 8 * place;
    for (let i = 0; i < count; i++) {
      result[i]! |= bytes[first + i]! << shift;
    }
  }
  return result;
}

/// Differences of either sign, as small numbers, back into what they are differences of.
function sums(differences: Uint32Array): Uint32Array {
  let sum = 0;
  for (let i = 0; i < differences.length; i++) {
    const word = differences[i]!;
    sum = (sum + ((word >>> 1) ^ -(word & 1))) | 0;
    differences[i] = sum;
  }
  return differences;
}

function stepsOf(bytes: Uint8Array, info: ColumnInfo): Float32Array {
  const { steps = 0, low = 0, high = 0, logarithmic = false } = info;
  const codes = sums(words(bytes, 2));
  const values = new Float32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]! & 0xffff;
    if (code === steps + 1) {
      values[i] = NaN;
    } else if (code === 0) {
      values[i] = 0;
    } else {
      const place = low + ((code - 1) / (steps - 1)) * (high - low);
      values[i] = info.whole ? Math.round(place) : logarithmic ? Math.exp(place) : place;
    }
  }
  return values;
}

function singles(bytes: Uint8Array): Float32Array {
  const ordered = sums(words(bytes, 4));
  for (let i = 0; i < ordered.length; i++) {
    const word = ordered[i]!;
    ordered[i] = word & 0x80000000 ? word ^ 0x80000000 : ~word;
  }
  return new Float32Array(ordered.buffer);
}

/// 64 bits are beyond the numbers of JavaScript; columns of this precision are short.
function doubles(bytes: Uint8Array): Float64Array {
  const count = bytes.length / 8;
  const low = words(bytes.subarray(0, 4 * count), 4);
  const high = words(bytes.subarray(4 * count), 4);
  const bits = new BigUint64Array(count);
  const sign = 1n << 63n;
  let sum = 0n;
  for (let i = 0; i < count; i++) {
    const word = (BigInt(high[i]!) << 32n) | BigInt(low[i]!);
    sum = BigInt.asUintN(64, sum + ((word >> 1n) ^ -(word & 1n)));
    bits[i] = sum & sign ? sum ^ sign : ~sum;
  }
  return new Float64Array(bits.buffer);
}

export function unpackedColumn(bytes: Uint8Array, info: ColumnInfo): Values {
  switch (info.precision) {
    case "coarse":
    case "steps":
      return stepsOf(bytes, info);
    case "single":
      return singles(bytes);
    case "double":
      return doubles(bytes);
  }
}

export function unpackedNumbers(bytes: Uint8Array): Uint32Array {
  return words(bytes, 4);
}
