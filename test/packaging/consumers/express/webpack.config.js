// For webpack and rspack, which read the same settings.
const isRspack = process.argv.some((word) => word.includes('rspack'));

export default {
  target: 'node',
  mode: 'production',
  entry: './program.js',
  output: { path: import.meta.dirname, filename: `out/${isRspack ? 'rspack' : 'webpack'}.cjs` },
  // The sandbox warns if NODE_ENV is `production`, which this mode writes into the bundle. rspack minifies for both, in a tenth of the time.
  optimization: { nodeEnv: false, minimize: isRspack },
};
