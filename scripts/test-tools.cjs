// Programs that tests need besides Node: a browser, an authenticator. They are found on the path, or installed from
// Debian as root.
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

/**
 * Each tool: its variable, its names, and its Debian packages. Large ones are only installed in continuous integration;
 * elsewhere their tests are skipped if they are missing.
 */
const TOOLS = {
  /** Chromium without windows, which needs two thirds of the time for the journeys; `browser` works too. */
  windowlessBrowser: {
    variable: 'CHROMIUM',
    names: ['chromium-headless-shell'],
    packages: ['chromium-headless-shell', 'fonts-liberation'],
  },
  browser: {
    variable: 'CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'],
    packages: ['chromium', 'fonts-liberation'],
  },
  office: { variable: 'SOFFICE', names: ['soffice'], packages: ['libreoffice-calc-nogui'], isForCi: true },
  python: { variable: 'PYTHON', names: ['python3'], packages: ['python3'] },
  /** The oldest Node that the programs for strangers run on; the project itself runs on a newer one. */
  oldNode: { variable: 'NODE_20', names: ['node'], packages: [], version: /^v20\./, title: 'Node 20' },
  pooler: { variable: 'PGBOUNCER', names: ['pgbouncer'], packages: ['pgbouncer'], title: 'PgBouncer' },
  authenticator: { variable: 'OATHTOOL', names: ['oathtool'], packages: ['oathtool'] },
}

/** The path of a tool, installed first if possible; null if there is none. */
function provideTool(tool) {
  const found = findTool(tool)
  const isLeftOut = (tool.isForCi && !process.env.CI) || tool.packages.length === 0
  if (found !== null || process.env[tool.variable] || isLeftOut) return found
  return installPackages(tool.packages) ? findTool(tool) : null
}

function findTool({ variable, names, version }) {
  const named = process.env[variable]
  if (named) return fs.existsSync(named) ? named : null
  const folders = (process.env.PATH || '')
    .split(path.delimiter)
    .concat('/usr/bin', '/usr/sbin', '/Applications/Google Chrome.app/Contents/MacOS')
  for (const name of names)
    for (const folder of folders)
      if (folder !== '' && isRight(path.join(folder, name), version)) return path.join(folder, name)
  return null
}

/** Whether a program is available, in the required version, if there is one. */
function isRight(program, version) {
  if (!fs.existsSync(program)) return false
  return version === undefined || version.test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)
}

/** Installs Debian packages if this user has the rights. */
function installPackages(packages) {
  if (!process.getuid || process.getuid() !== 0) return false
  if (spawnSync('apt-get', ['--version']).status !== 0) return false
  process.stdout.write('Installing ' + packages.join(', ') + ' …\n')
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: Object.assign({}, process.env, { DEBIAN_FRONTEND: 'noninteractive' }),
  }
  spawnSync('apt-get', ['update', '-qq'], options)
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends'].concat(packages), options).status === 0
  )
}

module.exports = { TOOLS, provideTool }
