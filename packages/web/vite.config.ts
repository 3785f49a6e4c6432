import { createHash } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const ENTRY = 'src/entry-client.tsx'
/** The first of a page's scripts: `src/server/page-assets.ts` names it by this. */
const FIRST = 'src/app/first.ts'
/** The script of an order's page between the two, which the server names too. */
const EARLY_ORDER = 'src/app/early-order.ts'

/**
 * Groups of modules outside of the shell that the same pages load: those of a first view, those that most other screens
 * use, and the rest by what they are for. They compress better in one file each, and on a slow network every file takes
 * its turn. A module that pages outside of its group load belongs to none of them.
 */
const PARTS = [
  {
    name: 'view',
    test: anyOf(
      String.raw`/ui/src/(?:countdown|figure|page-title|skeleton)\.(?:tsx|module\.css)$`,
      String.raw`/src/shared/(?:player-view\.ts|ticking-text\.tsx|until-draw\.tsx)$`,
      String.raw`/domain/src/(?:countdown|day-words|draw-time-label|fiat|play-days|weekday)\.ts$`,
      String.raw`/src/shared/later-part\.tsx$`,
      'compiler-runtime',
    ),
  },
  {
    name: 'parts',
    test: /\/ui\/src\/(?:ball-row|banner|card|chips|definition-list|field|icon-button|icons)\.(?:tsx|module\.css)$/,
  },
  // What a group imports comes with it: these have other users, which need nothing else of it.
  { name: 'form-rules', test: /\/ui\/src\/form-rules\.ts$/ },
  { name: 'validation', test: /\/domain\/src\/validation\.ts$/ },
  { name: 'moment', test: /\/web\/src\/shared\/moment\.ts$/ },
  { name: 'tickets', test: /\/web\/src\/shared\/data\/tickets\.ts$/ },
  { name: 'mutation', test: /utationObserver\.js$|useMutation\.js$|\/resend-verification\.ts$/ },
  {
    name: 'forms',
    test: anyOf(
      '/node_modules/(?:react-hook-form|@hookform|@standard-schema)/',
      String.raw`/ui/src/(?:checkbox|code-field|form|password-field|still-needed)\.(?:tsx?|module\.css)$`,
      String.raw`/web/src/shared/forms/(?:messages|proof|proof-input|save-errors|save-form)\.tsx?$`,
    ),
  },
  {
    name: 'hashes',
    test: anyOf('/@noble/hashes/', String.raw`/domain/src/protocol/(?:bytes|hash|numbers|plays)\.ts$`),
  },
  {
    name: 'protocol',
    test: anyOf(
      '/@noble/curves/',
      String.raw`/domain/src/protocol/(?:checkpoint|note|policy|remote-log|trust|bundle|collect-bundle|report)\.ts$`,
      String.raw`/web/src/proof/(?:files|memory|trust)\.ts$`,
    ),
  },
  { name: 'proof', test: /\/web\/src\/proof\/(?:draw-proof|own-papers|own-plays|kept-store|verifier)\.ts$/ },
  { name: 'payouts', test: /\/web\/src\/shared\/payout\/(?:payout-tracker|payout-words|waiting-reason)\./ },
]

function anyOf(...tests: readonly string[]): RegExp {
  return new RegExp(tests.join('|'))
}

/**
 * Keeps everything that every page loads in two files, of which the first is small: split by their other users, it
 * would be a dozen files, and 4 kB larger.
 *
 * @returns the chunk's name for a module the entry imports, directly or not; null for the others
 */
function shellOf(moduleId: string, graph: ModuleGraph): string | null {
  if (importedBy(FIRST, graph).has(moduleId)) return 'first'
  return importedBy(ENTRY, graph).has(moduleId) ? 'shell' : null
}

/** Rolldown's information about the modules. */
interface ModuleGraph {
  getModuleInfo: (moduleId: string) => { importedIds: string[] } | null
}

/** Parts of libraries that the shell reaches through their index but does not use. */
const ONLY_FEATURES = /useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver|useQueries|queriesObserver/

const shells = new WeakMap<object, Map<string, Set<string>>>()

function importedBy(source: string, graph: ModuleGraph): Set<string> {
  const shell = shells.get(graph.getModuleInfo) ?? new Map<string, Set<string>>()
  shells.set(graph.getModuleInfo, shell)
  const known = shell.get(source)
  if (known !== undefined) return known
  const found = new Set<string>()
  const visit = (moduleId: string) => {
    if (found.has(moduleId)) return
    found.add(moduleId)
    for (const imported of graph.getModuleInfo(moduleId)?.importedIds ?? [])
      if (!ONLY_FEATURES.test(imported)) visit(imported)
  }
  visit(join(import.meta.dirname, source))
  shell.set(source, found)
  return found
}

/**
 * Parts that the libraries include and this app does not use, with their replacements in the browser's build: 4 kB of
 * every page. Code that needs one of them gets an error that names this file.
 */
const UNUSED: readonly { module: RegExp; exports: readonly string[] }[] = [
  // Links are those of @fairball/ui/link.tsx; the router's routes have their own, which are not used.
  { module: /\/react-router\/dist\/esm\/link\.js$/, exports: ['Link', 'createLink', 'linkOptions', 'useLinkProps'] },
  // app/router.tsx reads and writes queries itself.
  {
    module: /\/router-core\/dist\/esm\/searchParams\.js$/,
    exports: ['defaultParseSearch', 'defaultStringifySearch', 'parseSearchWith', 'stringifySearchWith'],
  },
  // The pages of a list are pages of the site.
  {
    module: /\/query-core\/build\/modern\/infiniteQueryBehavior\.js$/,
    exports: ['infiniteQueryBehavior', 'hasNextPage', 'hasPreviousPage'],
  },
]

/** Replaces unused functions by ones that throw. */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    enforce: 'pre',
    load(id) {
      const unused = UNUSED.find(({ module }) => module.test(id))
      if (unused === undefined) return null
      return unused.exports
        .map((name) => `export function ${name}() { throw new Error('${name} is left out by vite.config.ts') }`)
        .join('\n')
    },
  }
}

const shortNames = new Map<string, string>()

/**
 * Names a class of a CSS module by a hash of its place, the same in both builds: the usual names with words, hashes and
 * line numbers are 0.5 kB of every page's styles.
 *
 * @throws Error if two classes would get the same name
 */
function shortClassName(name: string, file: string): string {
  const source = relative(import.meta.dirname, file.replace(/\?.*$/u, '')).replaceAll('\\', '/')
  // Classes of the design system keep the names they had before it was a package.
  const place = `${source.replace(/^\.\.\/ui\/src\//u, 'src/ui/')} ${name}`
  const hash = createHash('sha256').update(place).digest()
  // A letter first, as a class has to begin with.
  const short = String.fromCodePoint(97 + ((hash[31] ?? 0) % 26)) + hash.toString('base64url').slice(0, 4)
  const holder = shortNames.get(short) ?? place
  if (holder !== place) throw new Error(`${holder} and ${place} would both be .${short}: rename one.`)
  shortNames.set(short, place)
  return short
}

/** Adds the file of its screen to each row of the table of pages, for the server. */
function namedScreens(): Plugin {
  return {
    name: 'named-screens',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/app\/routes\/[\w-]+\.tsx$/u.test(id)) return null
      return code.replaceAll(/screen: \(\) => import\('([^']+)'\)/gu, (row, file: string) => {
        const source = relative(import.meta.dirname, join(dirname(id), file)).replaceAll('\\', '/')
        return `${row}, source: '${source}'`
      })
    },
  }
}

/** Two builds: `vite build` for the browser, `vite build --ssr src/entry-server.tsx --outDir dist/server` for the server. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  // Parts that tick every second are in the features, where elements are memoised. The design system and the shell get
  // the same elements and props again, so they need no memoisation, which would cost every page's first load 5 kB.
  plugins: [
    react({ compiler: true, exclude: [/\/node_modules\//, /\/src\/(?:app|proof|shared)\//, /\/ui\/src\//] }),
    ...(command === 'build' ? [isSsrBuild === true ? namedScreens() : withoutUnused()] : []),
  ],
  ...(command === 'build' && { css: { modules: { generateScopedName: shortClassName } } }),
  // Otherwise Node would choose React's development build for the server by its own NODE_ENV, which the demo does not set: slower, and larger.
  ...(command === 'build' && isSsrBuild === true && { define: { 'process.env.NODE_ENV': '"production"' } }),
  build: {
    outDir: 'dist/client',
    manifest: !isSsrBuild,
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    modulePreload: {
      polyfill: false,
      // The server names the scripts of a page itself. Naming for each import all scripts behind it would be 1 kB of every page.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'js' ? dependencies.filter((file) => file.endsWith('.css')) : dependencies,
    },
    reportCompressedSize: false,
    // Third-party code has to be published with its notices.
    ...(!isSsrBuild && { license: { fileName: 'licences.txt' } }),
    // Every page names the files of all others: shorter hashes save 0.2 kB of its scripts. Both builds name the fonts.
    rolldownOptions: {
      ...(!isSsrBuild && { input: [ENTRY, EARLY_ORDER] }),
      output: {
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        ...(!isSsrBuild && {
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          codeSplitting: { groups: [{ name: shellOf }, ...PARTS] },
        }),
      },
    },
  },
  // React 18 and later have this store hook; the shim for older ones is 1 kB of every page.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': join(import.meta.dirname, 'src/shared/external-store.ts') },
  },
  // The build is one file that needs no packages; in development Node loads them itself.
  ssr: { noExternal: isSsrBuild ? true : [/^@fairball\//] },
  optimizeDeps: {
    // If found late, each of these would add a second copy of React to a running page: "Invalid hook call".
    include: [
      'react',
      'react-dom/client',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react/compiler-runtime',
      '@tanstack/react-router',
      '@tanstack/react-router/ssr/client',
      '@tanstack/react-query',
      'react-hook-form',
      '@hookform/resolvers/standard-schema',
    ],
  },
}))
