import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Two builds: `vite build` for the browser, `vite build --ssr src/entry-server.tsx --outDir dist/server` for the server. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  // What ticks every second lies in the features and in the design system; memory cells in the shell, which hardly ever renders again, would
  // only cost every page's first load 3 kB.
  plugins: [react({ compiler: true, exclude: [/\/node_modules\//, /\/src\/app\//] })],
  build: {
    outDir: 'dist/client',
    manifest: !isSsrBuild,
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(!isSsrBuild && { rolldownOptions: { input: 'src/entry-client.tsx' } }),
  },
  ssr: { noExternal: true },
  optimizeDeps: {
    // Found late, each of these would bring a second copy of React into a running page: "Invalid hook call".
    include: [
      'react',
      'react-dom/client',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react/compiler-runtime',
      '@tanstack/react-router',
      '@tanstack/react-router/ssr/client',
      '@tanstack/react-query',
      'react-aria-components',
      'react-hook-form',
      '@hookform/resolvers/standard-schema',
    ],
  },
}))
