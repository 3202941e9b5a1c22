export default {
  target: 'node',
  mode: 'production',
  entry: './login.js',
  output: { path: import.meta.dirname, filename: 'out/rspack.cjs' },
  // The sandbox warns if NODE_ENV is `production`, which this mode writes into the bundle.
  optimization: { nodeEnv: false },
};
