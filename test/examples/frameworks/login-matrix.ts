type Cell = 'expected' | 'passed' | 'left out';

/** Results of full logins by framework, store and network. */
export class LoginMatrix {
  /** Framework -> store -> network -> result. */
  private readonly rows = new Map<string, Map<string, Map<string, Cell>>>();

  constructor(
    private readonly networks: readonly string[],
    private readonly stores: readonly string[],
  ) {}

  /** Expects a framework with a store to log users in through every network. */
  expect(framework: string, store: string): void {
    this.fill(framework, store, 'expected');
  }

  /** Excludes a store that a framework does not support. */
  leaveOut(framework: string, store: string): void {
    this.fill(framework, store, 'left out');
  }

  passed(framework: string, store: string, network: string): void {
    this.rows.get(framework)?.get(store)?.set(network, 'passed');
  }

  /** Expected logins without a pass. */
  missing(): string[] {
    return this.cells()
      .filter(({ cell }) => cell === 'expected' || cell === undefined)
      .map(({ framework, store, network }) => `${framework}: ${network} in the ${store}`);
  }

  /** The matrix as printable text. */
  text(): string {
    const title = Math.max(...[...this.rows.keys()].map(({ length }) => length));
    const width = Math.max(...this.networks.map(({ length }) => length), this.stores.join(' ').length);
    const line = (head: string, cells: readonly string[]) =>
      `  ${head.padEnd(title)}  ${cells.map((cell) => cell.padEnd(width)).join('  ')}`.trimEnd();
    const mark = (framework: string, network: string, store: string) =>
      ({ passed: 'yes', expected: 'NO', 'left out': '-' })[
        this.rows.get(framework)?.get(store)?.get(network) ?? 'expected'
      ].padEnd(store.length);
    return [
      '',
      line('full logins', this.networks),
      line(
        '',
        this.networks.map(() => this.stores.join(' ')),
      ),
      ...[...this.rows.keys()].map((framework) =>
        line(
          framework,
          this.networks.map((network) =>
            this.stores.map((store) => mark(framework, network, store)).join(' '),
          ),
        ),
      ),
      '',
    ].join('\n');
  }

  private fill(framework: string, store: string, cell: Cell): void {
    const row = this.rows.get(framework) ?? new Map<string, Map<string, Cell>>();
    this.rows.set(framework, row);
    row.set(store, new Map(this.networks.map((network) => [network, cell])));
  }

  private cells() {
    return [...this.rows].flatMap(([framework, row]) =>
      this.stores.flatMap((store) =>
        this.networks.map((network) => ({ framework, store, network, cell: row.get(store)?.get(network) })),
      ),
    );
  }
}
