import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globals: true, include: ['**/*.e2e-spec.ts'], testTimeout: 30_000, hookTimeout: 30_000 },
});
