// Where the files of a release come from: an in-toto statement (v1) with SLSA's provenance (v1), and the list of hashes.
'use strict'

const { createHash } = require('node:crypto')

/** @param {string | Uint8Array} content */
function sha256Of(content) {
  return createHash('sha256').update(content).digest('hex')
}

/** The format of `sha256sum --check`. @param {{ name: string, sha256: string }[]} files */
function sumsOf(files) {
  return files.map(({ name, sha256 }) => sha256 + '  ' + name + '\n').join('')
}

/**
 * The statement. It is not signed, and it holds no time but the commit's: two people who build one commit with the same
 * tools can compare theirs.
 * @param {object} release
 * @param {{ name: string, sha256: string }[]} release.files
 * @param {string} release.version
 * @param {string} release.commit
 * @param {string} release.at the time of the commit (ISO 8601)
 * @param {string} release.buildHash of the web's build
 * @param {boolean} release.isTested whether every test passed before
 * @param {Record<string, string>} release.tools versions by name
 * @returns {string} JSON
 */
function provenanceOf({ files, version, commit, at, buildHash, isTested, tools }) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        // Described in docs/change.md of the same commit.
        buildType: 'urn:fairball:release:v1',
        externalParameters: { version, tested: isTested },
        internalParameters: { buildHash, committedAt: at },
        resolvedDependencies: [{ uri: 'git+file:fairball', digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: 'urn:fairball:release-script', version: tools } },
    },
  }
  return JSON.stringify(statement, null, 2) + '\n'
}

module.exports = { provenanceOf, sha256Of, sumsOf }
