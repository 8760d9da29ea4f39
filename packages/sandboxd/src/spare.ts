/** Something slow to make, of which one is kept ready: made ahead while nobody waits, used again when it comes back. */
export class Spare<T> {
  readonly #make: () => T;
  readonly #usable: (one: T) => boolean;
  readonly #later: (action: () => void) => void;
  #ready: T | null = null;

  /** `later` runs its action at a quiet moment; what it still held from before it forgets. */
  constructor(parts: { make(): T; usable(one: T): boolean; later(action: () => void): void }) {
    this.#make = parts.make;
    this.#usable = parts.usable;
    this.#later = parts.later;
    this.#refill();
  }

  take(): T {
    const ready = this.#current();
    this.#ready = null;
    this.#refill();
    return ready ?? this.#make();
  }

  /** False when one is ready already and this one is not kept. */
  giveBack(one: T): boolean {
    if (this.#current() !== null) return false;
    this.#ready = one;
    return true;
  }

  #current(): T | null {
    return this.#ready !== null && this.#usable(this.#ready) ? this.#ready : null;
  }

  #refill(): void {
    this.#later(() => {
      this.#ready = this.#current() ?? this.#make();
    });
  }
}

/** For `later`: when nothing more was asked for within `quietMs`. */
export function atQuiet(quietMs: number): (action: () => void) => void {
  let timer: NodeJS.Timeout | undefined;
  return (action) => {
    clearTimeout(timer);
    timer = setTimeout(action, quietMs).unref();
  };
}
