import { describe, expect, it } from 'vitest'
import { helpText, readArguments, UsageError } from './arguments.ts'

const KEY = 'a'.repeat(64)

describe('the arguments', () => {
  it('follow an operator, with everything else as it is best for most', () => {
    expect(readArguments(['https://lottery.example/', '--state', 'f', '--name', 'alice'])).toEqual({
      verb: 'follow',
      url: 'https://lottery.example',
      state: 'f',
      follow: {
        name: 'alice',
        key: null,
        intervalSeconds: 30,
        patienceSeconds: 600,
        alarmCommand: null,
        posts: true,
        verifies: true,
        isOnce: false,
        isJson: false,
        clock: 'own',
      },
    })
  })

  it('may say everything else', () => {
    const args = [
      'http://127.0.0.1:3000/sub',
      '--state=f',
      '--key',
      KEY.toUpperCase(),
      '--interval',
      '5',
      '--silence',
      '1',
    ]
    const more = ['--alarm-command', 'mail', '--no-post', '--no-verify', '--once', '--json', '--clock', 'operator']
    expect(readArguments([...args, ...more])).toMatchObject({
      url: 'http://127.0.0.1:3000/sub',
      follow: {
        key: KEY,
        intervalSeconds: 5,
        patienceSeconds: 60,
        alarmCommand: 'mail',
        posts: false,
        verifies: false,
        isOnce: true,
        isJson: true,
        clock: 'operator',
      },
    })
  })

  it('ask for the other commands', () => {
    expect(readArguments(['key', '--state', 'f'])).toEqual({ verb: 'key', state: 'f', name: null, isJson: false })
    expect(readArguments(['check', '--state', 'f', '--json'])).toEqual({ verb: 'check', state: 'f', isJson: true })
    expect(readArguments(['compare', 'a', 'b'])).toEqual({ verb: 'compare', folders: ['a', 'b'], isJson: false })
    expect(readArguments(['--help'])).toEqual({ verb: 'help' })
  })

  it.each<[string[], RegExp]>([
    [[], /Say which operator/],
    [['https://a.example'], /--state/],
    [['ftp://a.example', '--state', 'f'], /neither a command nor an address/],
    [['a.example', '--state', 'f'], /neither a command nor an address/],
    [['https://me:secret@a.example', '--state', 'f'], /no user/],
    [['https://a.example/?x=1', '--state', 'f'], /query/],
    [['https://a.example', 'more', '--state', 'f'], /too many/],
    [['https://a.example', '--state', 'f', '--interval', '0'], /--interval/],
    [['https://a.example', '--state', 'f', '--interval', '241'], /--interval/],
    [['https://a.example', '--state', 'f', '--interval', '1e2'], /--interval/],
    [['https://a.example', '--state', 'f', '--silence', '0'], /--silence/],
    [['https://a.example', '--state', 'f', '--key', 'abc'], /--key/],
    [['https://a.example', '--state', 'f', '--clock', 'mine'], /--clock/],
    [['https://a.example', '--state', 'f', '--name', 'a,b'], /name/],
    [['https://a.example', '--state', 'f', '--name', 'a=b'], /name/],
    [['https://a.example', '--state', 'f', '--what'], /--what/],
    [['compare', 'a'], /two folders/],
    [['compare', 'a', 'b', 'c'], /two folders/],
  ])('that say nothing sensible are refused: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(UsageError)
    expect(() => readArguments(args)).toThrow(message)
  })

  it('are all named in the help', () => {
    for (const option of [
      'name',
      'state',
      'key',
      'interval',
      'silence',
      'alarm-command',
      'no-post',
      'no-verify',
      'once',
    ])
      expect(helpText()).toContain(`--${option}`)
  })
})
