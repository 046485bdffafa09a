/** What was fetched once is not fetched again, as long as it is among the last that were used. */

export class Remembered<T> {
  private readonly held = new Map<string, Promise<T>>();

  /** @param most how many are kept: a reader who looks at everything must not fill the memory */
  constructor(private readonly most: number) {}

  /** What is held under `key`, else what `load` brings. A failure is not kept. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.held.get(key);
    const value = known ?? load();
    // the newest use stands last
    this.held.delete(key);
    this.held.set(key, value);
    if (known === undefined) {
      value.catch(() => this.held.delete(key));
      this.forgetOldest();
    }
    return value;
  }

  private forgetOldest(): void {
    const [oldest] = this.held.keys();
    if (this.held.size > this.most && oldest !== undefined) this.held.delete(oldest);
  }
}
