import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import type { Connect, ViteDevServer } from 'vite'
import type * as EntryServer from './src/entry-server.tsx'
import type { PageAssets } from './src/server/page-assets.ts'

/** Vite inside the product's own server, for development: sources are served as they are and replaced while they are edited. */
export interface DevRenderer {
  /** Connect middleware that serves the sources; it has to run before the pages. */
  middlewares: Connect.Server
  /** Renders a page like the build's `render`, from the present sources. */
  render: (options: EntryServer.RenderOptions) => Promise<Response>
  /** As {@link EntryServer.listedPages}, of the sources at the start. */
  listedPages: typeof EntryServer.listedPages
  close: () => Promise<void>
}

/**
 * Starts Vite in middleware mode.
 *
 * @param options.hmrPort the port of the socket that announces replaced modules; 24678 by default
 */
export async function createDevRenderer(options: { hmrPort?: number } = {}): Promise<DevRenderer> {
  const vite = await createServer({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { port: options.hmrPort ?? 24_678 } },
  })
  // The module's type is known from its source.
  const loadEntry = async () => (await vite.ssrLoadModule('/src/entry-server.tsx')) as typeof EntryServer
  const { listedPages } = await loadEntry()
  return {
    middlewares: vite.middlewares,
    listedPages,
    async render(page) {
      const { render } = await loadEntry()
      return render({ ...page, assets: devAssets(vite, await stylesOf(vite)) })
    },
    close: () => vite.close(),
  }
}

function devAssets(_vite: ViteDevServer, styles: string): PageAssets {
  return {
    head: (_screens, nonce) =>
      [
        `<style nonce="${nonce}">${styles}</style>`,
        '<script type="module" src="/@vite/client"></script>',
        '<script type="module" src="/src/entry-client.tsx"></script>',
      ].join(''),
  }
}

/**
 * @returns the styles of all modules loaded so far, so that the page does not flash before its scripts load them again
 */
async function stylesOf(vite: ViteDevServer): Promise<string> {
  const files = [...vite.moduleGraph.idToModuleMap.values()].filter((module) => module.id?.endsWith('.css') === true)
  const texts = await Promise.all(files.map((module) => vite.ssrLoadModule(`${module.url}?inline`)))
  return texts.map((text) => String(text['default'])).join('\n')
}
