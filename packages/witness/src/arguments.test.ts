import { describe, expect, it } from 'vitest'
import { helpText, readArguments } from './arguments.ts'
import { UsageError } from './usage-error.ts'

const LEAST = ['serve', '--state', 'f', '--logs', 'logs.txt']

describe('the arguments', () => {
  it('to serve need a folder and a file of logs', () => {
    expect(readArguments(LEAST)).toEqual({
      verb: 'serve',
      state: 'f',
      name: null,
      logs: 'logs.txt',
      host: '127.0.0.1',
      port: 8480,
      intervalSeconds: 60,
      patienceSeconds: 600,
      alarmCommand: null,
      alarmWebhook: null,
      verifiesDraws: true,
      clock: 'own',
      isJson: false,
    })
  })

  it('may say everything else', () => {
    const where = ['--name', 'w.example/alice', '--listen', '[::1]:80', '--interval', '5', '--silence', '1']
    const how = ['--alarm-command', 'mail', '--alarm-webhook', 'https://hook.example', '--no-verify', '--json']
    expect(readArguments([...LEAST, ...where, ...how, '--clock', 'log'])).toMatchObject({
      name: 'w.example/alice',
      host: '::1',
      port: 80,
      intervalSeconds: 5,
      patienceSeconds: 60,
      alarmCommand: 'mail',
      alarmWebhook: 'https://hook.example/',
      verifiesDraws: false,
      clock: 'log',
      isJson: true,
    })
  })

  it('ask for the other commands', () => {
    expect(readArguments(['key', '--state', 'f'])).toEqual({ verb: 'key', state: 'f', name: null, isJson: false })
    expect(readArguments(['check', '--state', 'f', '--json'])).toEqual({ verb: 'check', state: 'f', isJson: true })
    expect(readArguments(['--help'])).toEqual({ verb: 'help' })
  })

  it.each<[string[], RegExp]>([
    [[], /Say what to do/],
    [['follow', '--state', 'f'], /no command follow/],
    [['serve', '--logs', 'x'], /--state/],
    [['serve', '--state', 'f'], /--logs/],
    [['serve', 'more', '--state', 'f', '--logs', 'x'], /too many/],
    [[...LEAST, '--interval', '4'], /--interval/],
    [[...LEAST, '--interval', '3601'], /--interval/],
    [[...LEAST, '--interval', '1e2'], /--interval/],
    [[...LEAST, '--silence', '0'], /--silence/],
    [[...LEAST, '--listen', '8480'], /--listen/],
    [[...LEAST, '--listen', 'a:65536'], /--listen/],
    [[...LEAST, '--clock', 'operator'], /--clock/],
    [[...LEAST, '--alarm-webhook', 'ftp://hook.example'], /--alarm-webhook/],
    [[...LEAST, '--alarm-webhook', 'hook'], /--alarm-webhook/],
    [[...LEAST, '--name', 'a+b'], /name/],
    [[...LEAST, '--name', '/a'], /name/],
    [[...LEAST, '--what'], /--what/],
  ])('that say nothing sensible are refused: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(UsageError)
    expect(() => readArguments(args)).toThrow(message)
  })

  it('are all named in the help', () => {
    const options = ['state', 'name', 'logs', 'listen', 'interval', 'silence', 'alarm-command', 'alarm-webhook']
    for (const option of [...options, 'no-verify', 'clock', 'json']) expect(helpText()).toContain(`--${option}`)
  })
})
