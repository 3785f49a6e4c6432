import { describe, expect, it } from 'vitest'
import { helpText, readArguments } from './arguments.ts'
import { UsageError } from './usage-error.ts'

const MINIMAL = ['serve', '--state', 'f', '--logs', 'logs.txt']

describe('the arguments', () => {
  it('serving needs a folder and a file of logs', () => {
    expect(readArguments(MINIMAL)).toEqual({
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

  it('every option of serving is read', () => {
    const where = ['--name', 'w.example/alice', '--listen', '[::1]:80', '--interval', '5', '--silence', '1']
    const how = ['--alarm-command', 'mail', '--alarm-webhook', 'https://hook.example', '--no-verify', '--json']
    expect(readArguments([...MINIMAL, ...where, ...how, '--clock', 'log'])).toMatchObject({
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

  it('the other commands are read', () => {
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
    [[...MINIMAL, '--interval', '4'], /--interval/],
    [[...MINIMAL, '--interval', '3601'], /--interval/],
    [[...MINIMAL, '--interval', '1e2'], /--interval/],
    [[...MINIMAL, '--silence', '0'], /--silence/],
    [[...MINIMAL, '--listen', '8480'], /--listen/],
    [[...MINIMAL, '--listen', 'a:65536'], /--listen/],
    [[...MINIMAL, '--clock', 'operator'], /--clock/],
    [[...MINIMAL, '--alarm-webhook', 'ftp://hook.example'], /--alarm-webhook/],
    [[...MINIMAL, '--alarm-webhook', 'hook'], /--alarm-webhook/],
    [[...MINIMAL, '--name', 'a+b'], /name/],
    [[...MINIMAL, '--name', '/a'], /name/],
    [[...MINIMAL, '--what'], /--what/],
  ])('invalid arguments are refused: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(UsageError)
    expect(() => readArguments(args)).toThrow(message)
  })

  it('the help names every option', () => {
    const options = ['state', 'name', 'logs', 'listen', 'interval', 'silence', 'alarm-command', 'alarm-webhook']
    for (const option of [...options, 'no-verify', 'clock', 'json']) expect(helpText()).toContain(`--${option}`)
  })
})
