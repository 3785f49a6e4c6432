// Builds the verifier for strangers: one file for Node, one page that works offline, and the SHA-256 of each.
// `node packages/verifier/build.mjs [folder]`, by default `dist` beside this file.
import './build-verifier.ts'
