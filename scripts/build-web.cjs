// Builds the web for the browser and for the server's rendering, with the verifier and the witness for download, and the
// operator's console: each of the two if its sources changed since its last build.
'use strict'

const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, alone, environment, prepare } = require('./bootstrap.cjs')

const WEB = path.join(ROOT, 'packages', 'web')
const CONSOLE = path.join(ROOT, 'packages', 'console')
const VITE = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
const COMPRESS = path.join(WEB, 'scripts', 'compress-assets.mjs')
/** Where the web offers the verifier and the witness. */
const PROGRAMS = path.join(WEB, 'dist', 'client', 'fairness')
/** The inputs of both builds. */
const SHARED = [
  'package-lock.json',
  'tsconfig.base.json',
  'packages/contract/package.json',
  'packages/contract/src',
  'packages/domain/package.json',
  'packages/domain/src',
  'packages/ui',
]

/** What is built: from which inputs, in which steps, and files that show that a build is whole. */
const WEB_BUILD = {
  name: 'web',
  folder: WEB,
  inputs: SHARED.concat('packages/verifier', 'packages/web', 'packages/witness'),
  results: [
    'client/fairness/fairball-verify.html',
    'client/fairness/fairball-witness.mjs',
    'client/.vite/manifest.json',
    'client/licences.txt',
    'client/service-worker.js',
    'server/entry-server.js',
  ],
  steps: [
    [VITE, 'build', '--logLevel', 'warn'],
    [VITE, 'build', '--ssr', 'src/entry-server.tsx', '--outDir', 'dist/server', '--logLevel', 'warn'],
    [path.join(ROOT, 'packages', 'verifier', 'build.mjs'), PROGRAMS],
    [path.join(ROOT, 'packages', 'witness', 'build.mjs'), PROGRAMS],
    [path.join(WEB, 'scripts', 'build-service-worker.mjs')],
    [path.join(WEB, 'scripts', 'write-notices.mjs')],
    // Last, because it compresses all files.
    [COMPRESS],
  ],
}
const CONSOLE_BUILD = {
  name: 'console',
  folder: CONSOLE,
  inputs: SHARED.concat('packages/console', 'packages/web/scripts/compress-assets.mjs'),
  results: ['client/index.html', 'client/.vite/manifest.json'],
  steps: [
    [VITE, 'build', '--logLevel', 'warn'],
    [COMPRESS, path.join(CONSOLE, 'dist', 'client')],
  ],
}
/** Everything that a build of both reads. */
const INPUTS = [...new Set(WEB_BUILD.inputs.concat('packages/console'))]
const NOT_READ = /(^|\/)(dist|python|node_modules|dev-server\.ts)(\/|$)|\.test\.tsx?$|~$/

/** Builds the web and the console, each if its inputs changed.
 * @param {string} node the Node to build with
 * @returns {boolean} whether it succeeded
 */
function buildWeb(node) {
  return provide(node, WEB_BUILD) && buildConsole(node)
}

/** Builds the console if its inputs changed.
 * @param {string} node the Node to build with
 * @returns {boolean} whether it succeeded
 */
function buildConsole(node) {
  return provide(node, CONSOLE_BUILD)
}

function provide(node, product) {
  if (isFresh(product)) return true
  return alone(() => isFresh(product) || build(node, product))
}

function stampOf({ folder }) {
  return path.join(folder, 'dist', 'inputs.sha256')
}

function isFresh(product) {
  try {
    return (
      product.results.every((file) => fs.existsSync(path.join(product.folder, 'dist', file))) &&
      fs.readFileSync(stampOf(product), 'utf8') === hashOf(product.inputs)
    )
  } catch {
    return false
  }
}

function build(node, product) {
  process.stdout.write('Building the ' + product.name + ' …\n')
  const hash = hashOf(product.inputs) // first, so that changes during the build make it stale
  fs.rmSync(stampOf(product), { force: true })
  const options = { cwd: product.folder, env: environment(node, { NODE_ENV: 'production' }), encoding: 'utf8' }
  for (const step of product.steps) {
    const result = spawnSync(node, step, options)
    if (result.status === 0) continue
    process.stderr.write(
      (result.stdout || '') + (result.stderr || '') + '\nThe ' + product.name + ' could not be built.\n',
    )
    return false
  }
  fs.writeFileSync(stampOf(product), hash)
  return true
}

/** One hash over names and contents, in a fixed order. */
function hashOf(inputs) {
  const hash = createHash('sha256').update(process.platform)
  for (const input of inputs) addToHash(hash, input)
  return hash.digest('hex')
}

function addToHash(hash, name) {
  if (NOT_READ.test(name)) return
  const full = path.join(ROOT, name)
  const found = fs.statSync(full, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) {
    for (const entry of fs.readdirSync(full).sort()) addToHash(hash, name + '/' + entry)
    return
  }
  const content = fs.readFileSync(full)
  hash.update(name + '\0' + content.length + '\0').update(content)
}

module.exports = { INPUTS, NOT_READ, buildConsole, buildWeb }

if (require.main === module) process.exit(buildWeb(prepare()) ? 0 : 1)
