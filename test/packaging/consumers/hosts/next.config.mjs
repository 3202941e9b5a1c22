// Two applications in one folder, because both routers have the same routes.
const { HOST } = process.env;
export default { distDir: `.next-${HOST}`, pageExtensions: [`${HOST}.js`] };
