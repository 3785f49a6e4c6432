// Builds the verifier for independent users: one file for Node, one offline page, and the SHA-256 of each. `node
// packages/verifier/build.mjs [folder]`, by default `dist` beside this file.
import './build-verifier.ts'
