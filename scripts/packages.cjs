// npm run packages: builds what outsiders install to check and to witness, each without any package of others:
// fairball-verify and fairball-witness for npm, and the verifier in Python as a wheel. The same sources give the same
// programs; `npm pack` gives the same archive with the same npm.
//   npm run packages -- folder    writes them there; default: dist/packages
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ROOT } = require('./locked-packages.cjs')

/** The packages for npm, by the folders of their sources. */
const PROGRAMS = { verifier: 'fairball-verify', witness: 'fairball-witness' }
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8')

/**
 * Builds all of them.
 * @param {string} folder where they are written
 * @param {string | undefined} python the Python to build the wheel with; without one there is no wheel
 * @returns {string[]} the names of the files
 * @throws {Error} with what the step that failed says
 */
function buildPackages(folder, python) {
  fs.mkdirSync(folder, { recursive: true })
  const names = Object.keys(PROGRAMS).map((source) => packProgram(source, folder))
  return python === undefined ? names : names.concat(buildWheel(folder, python))
}

function packProgram(source, folder) {
  const place = path.join(ROOT, 'packages', source)
  const staged = fs.mkdtempSync(path.join(os.tmpdir(), 'fairball-package-'))
  try {
    run(process.execPath, [path.join(place, 'build.mjs'), path.join(staged, 'dist')])
    const manifest = JSON.parse(read('packages/' + source + '/package.json'))
    const { version, description, license, bin, files, type, engines } = manifest
    const published = { name: PROGRAMS[source], version, description, license, bin, files, type, engines }
    fs.writeFileSync(path.join(staged, 'package.json'), JSON.stringify(published, null, 2) + '\n')
    fs.writeFileSync(path.join(staged, 'README.md'), aloneText(read('packages/' + source + '/README.md')))
    fs.writeFileSync(path.join(staged, 'LICENSE'), licenceText())
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', path.resolve(folder)]
    return run('npm', args, staged).trim()
  } finally {
    fs.rmSync(staged, { recursive: true, force: true })
  }
}

function buildWheel(folder, python) {
  const script = path.join(ROOT, 'packages', 'verifier', 'python', 'build_wheel.py')
  return run(python, ['-B', script, path.resolve(folder)]).trim()
}

/** A README without links to files that are not in the package. */
function aloneText(text) {
  return text.replace(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1')
}

/** Our licence, and those of what the programs contain. */
function licenceText() {
  const { dependencies } = JSON.parse(read('packages/domain/package.json'))
  const contained = Object.keys(dependencies).map((name) => {
    const { version, license } = JSON.parse(read('node_modules/' + name + '/package.json'))
    return name + ' ' + version + ' (' + license + '), which the program contains:\n\n' + licenceOf(name)
  })
  return [read('LICENSES/Apache-2.0.txt')].concat(contained).join('\n' + '-'.repeat(80) + '\n\n')
}

function licenceOf(name) {
  return read('node_modules/' + name + '/LICENSE')
}

function run(program, args, cwd = ROOT) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(program + ' ' + args.join(' ') + ': ' + (error || stderr || stdout))
  return stdout
}

module.exports = { buildPackages }

if (require.main === module) {
  const { TOOLS, provideTool } = require('./test-tools.cjs')
  const folder = process.argv[2] || path.join(ROOT, 'dist', 'packages')
  const python = provideTool(TOOLS.python)
  for (const name of buildPackages(folder, python === null ? undefined : python))
    process.stdout.write(path.join(folder, name) + '\n')
  if (python === null) process.stderr.write('There is no wheel: it needs python3.\n')
}
