/**
 * Parameters of a query or a form.
 *
 * OAuth allows each parameter once, so one that is given twice reads as missing.
 */
export class Parameters {
  constructor(private readonly pairs: readonly (readonly [string, string])[]) {}

  /** @param text - Form-encoded text, without a leading `?`. */
  static parse(text: string): Parameters {
    return new Parameters([...new URLSearchParams(text)]);
  }

  /** The value of a parameter that is given exactly once. */
  get(name: string): string | undefined {
    const values = this.all(name);
    return values.length === 1 ? values[0] : undefined;
  }

  /** Every value of a parameter, in the order given. */
  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** Whether the parameter is given at all, were it empty or given twice. */
  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name);
  }

  /** Name and value of every parameter, in the order given. */
  entries(): readonly (readonly [string, string])[] {
    return this.pairs;
  }

  /** Whether any parameter is given twice. */
  repeats(): boolean {
    return new Set(this.pairs.map(([key]) => key)).size < this.pairs.length;
  }
}
