import { defineConfig } from 'vitest/config'

/** Tests of the web run in Node; those that need a document name it in their first line. */
export default defineConfig({ root: import.meta.dirname, test: { name: 'web', include: ['src/**/*.test.{ts,tsx}'] } })
