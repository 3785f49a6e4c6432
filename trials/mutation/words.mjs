import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Which arguments of these functions are sentences for people, and decide nothing. */
const SENTENCES = {
  // packages/domain/src/assert.ts
  assert: [1],
  // packages/domain/src/fairness/statements.ts: why a text is no statement; never shown to a player
  fail: [0],
  // packages/domain/src/fairness/checks.ts: what a check found
  passed: [0],
  failed: [0],
  unchecked: [0],
  // the same file: what a check of a step looks at
  add: [1],
}

/** Leaves out sentences for people: one that reads differently breaks no rule. What is computed inside of one is mutated. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore(path) {
      if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined
      const call = path.parent
      if (call.type !== 'CallExpression') return undefined
      const callee = call.callee.type === 'MemberExpression' ? call.callee.property : call.callee
      const places = callee.type === 'Identifier' ? SENTENCES[callee.name] : undefined
      return places?.includes(path.key) ? 'words for people' : undefined
    },
  }),
]
