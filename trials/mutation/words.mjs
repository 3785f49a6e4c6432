import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Which arguments of these functions are sentences for people, and decide nothing. A single word there may decide something. */
const SENTENCES = {
  // packages/domain/src/assert.ts
  assert: [1],
  // packages/domain/src/protocol/statement-codecs.ts: why a text is no statement; never shown to a player
  fail: [0],
  // packages/domain/src/protocol/report.ts and read-state.ts: why a check ended, or a rule is broken
  end: [2],
  hold: [2, 3],
  // packages/domain/src/protocol/verify-seal.ts: what of a range is not here
  broken: [0],
}

/** Leaves out sentences for people: one that reads differently breaks no rule. What is computed inside of one is mutated. */
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
