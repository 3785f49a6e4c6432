import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/**
 * Arguments of these functions that are sentences for people and decide nothing. A single word there may decide
 * something.
 */
const SENTENCES = {
  // packages/domain/src/assert.ts
  assert: [1],
  // packages/domain/src/protocol/statement-codecs.ts: why a text is not a statement; never shown to a player
  fail: [0],
  // packages/domain/src/protocol/report.ts and read-state.ts: why a check ended, or which rule is broken
  end: [2],
  hold: [2, 3],
  // packages/domain/src/protocol/verify-seal.ts: which part of a range is missing
  broken: [0],
}

/**
 * Ignores sentences for people: a different wording breaks no rule. Expressions computed inside one are still mutated.
 */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore(path) {
      if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined
      if (path.isStringLiteral() && !path.node.value.includes(' ')) return undefined
      const call = path.parent
      if (call.type !== 'CallExpression') return undefined
      const callee = call.callee.type === 'MemberExpression' ? call.callee.property : call.callee
      const places = callee.type === 'Identifier' ? SENTENCES[callee.name] : undefined
      return places?.includes(path.key) ? 'words for people' : undefined
    },
  }),
]
