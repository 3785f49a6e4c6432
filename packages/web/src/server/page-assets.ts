import { readFileSync } from 'node:fs'

/** The scripts and styles of a page. */
export interface PageAssets {
  /**
   * @param screens the sources of the screens a page shows, relative to the package
   * @param nonce marks the page's own inline styles
   * @returns the elements for the document's head
   */
  head(screens: readonly string[], nonce: string): string
}

/** The build's description of one of its files (Vite's manifest). */
interface BuiltFile {
  name?: string
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}

/** The used part of the manifest, by source. */
type Manifest = Record<string, BuiltFile>

/** The source of the script that starts the app in the browser. */
const ENTRY = 'src/entry-client.tsx'
/** The source of the script of an order's page, which is among that page's screens. */
export const EARLY_ORDER = 'src/app/early-order.ts'
/** The name of the script that begins before the app's has arrived (vite.config.ts). */
const FIRST = 'first'

let built: PageAssets | null = null

/** @returns the files of the build beside this one, read once. @throws Error when the client has not been built */
export function builtAssets(): PageAssets {
  built ??= assetsOf(new URL('../client/', import.meta.url))
  return built
}

/**
 * A page's styles are in its HTML, so that the first paint waits for nothing (measured: 0.3 s on slow 4G). The same
 * files are also named by disabled links: the script that loads a screen looks for these and then does not fetch the
 * styles a second time.
 */
function assetsOf(client: URL): PageAssets {
  // Our own build wrote it, with the same version of Vite.
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', client), 'utf8')) as Manifest
  const texts = new Map<string, string>()
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(new URL(file, client), 'utf8').trim()
    texts.set(file, text)
    return text
  }

  const first = Object.values(manifest).find(({ name }) => name === FIRST)
  if (first === undefined) throw new Error(`The build has no script named ${FIRST}: see shellOf in vite.config.ts.`)

  return {
    head(screens, nonce) {
      const files = filesOf(manifest, [ENTRY, ...screens])
      // Lazily loaded parts of a screen are rendered here too, so their styles have to be there; their scripts load on
      // demand.
      const lazy = screens.flatMap((screen) => manifest[screen]?.dynamicImports ?? [])
      const styles = unique([...files, ...filesOf(manifest, lazy)].flatMap((file) => file.css ?? []))
      const early = screens.filter((source) => source === EARLY_ORDER)
      const scripts = [first.file, ...[...early, ENTRY].map((source) => manifest[source]?.file)]
      // The text and its fonts load before the scripts: on a slow network scripts would take most of the bandwidth.
      return [
        `<style nonce="${nonce}">${styles.map(textOf).join('')}</style>`,
        ...styles.map((file) => `<link rel="stylesheet" href="/${file}" disabled>`),
        ...unique(files.map((file) => file.file)).map(
          (file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low">`,
        ),
        ...scripts.map((file) => `<script type="module" src="/${file}" fetchpriority="low"></script>`),
      ].join('')
    },
  }
}

/** @returns the files of these sources and all they import, in the order in which they are needed */
function filesOf(manifest: Manifest, sources: readonly string[]): BuiltFile[] {
  const seen = new Set<string>()
  const found: BuiltFile[] = []
  const add = (source: string) => {
    if (seen.has(source)) return
    seen.add(source)
    const file = manifest[source]
    if (file === undefined)
      throw new Error(`The build has no ${source}: a route names a screen by a different path than it imports.`)
    for (const imported of file.imports ?? []) add(imported)
    found.push(file)
  }
  for (const source of sources) add(source)
  return found
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}
