// The points that a reader has chosen, in one view or by their values; all views show them.

export class Selection {
  private mask: Uint8Array | null = null;
  private readonly listeners: (() => void)[] = [];

  /// Null where nothing is selected.
  get current(): Uint8Array | null {
    return this.mask;
  }

  get size(): number {
    return this.mask ? this.mask.reduce((sum, bit) => sum + bit, 0) : 0;
  }

  /// Positions, ascending.
  positions(): number[] {
    const found: number[] = [];
    this.mask?.forEach((bit, i) => {
      if (bit) {
        found.push(i);
      }
    });
    return found;
  }

  set(mask: Uint8Array | null): void {
    this.mask = mask && mask.some((bit) => bit === 1) ? mask : null;
    this.listeners.forEach((listener) => listener());
  }

  /// With what is selected already.
  add(mask: Uint8Array): void {
    const union = mask.slice();
    this.mask?.forEach((bit, i) => {
      union[i]! |= bit;
    });
    this.set(union);
  }

  changed(listener: () => void): void {
    this.listeners.push(listener);
  }
}

/// Points whose value lies between two bounds, the bounds included.
export function between(values: ArrayLike<number>, low: number, high: number): Uint8Array {
  const mask = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    mask[i] = values[i]! >= low && values[i]! <= high ? 1 : 0;
  }
  return mask;
}
