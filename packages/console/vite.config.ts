import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** One build for the browser: a page without inline scripts or styles, as the console's policy wants it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ compiler: true, exclude: [/\/node_modules\//, /\/ui\/src\//] })],
  build: {
    outDir: 'dist/client',
    manifest: true,
    emptyOutDir: true,
    // Everything is a file of its own: the policy allows no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.txt' },
  },
})
