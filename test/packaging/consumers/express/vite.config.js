export default {
  // The packages go into the bundle, too. By default Vite leaves them to Node.
  ssr: { noExternal: true },
  build: { outDir: 'out/vite', target: 'node20' },
};
