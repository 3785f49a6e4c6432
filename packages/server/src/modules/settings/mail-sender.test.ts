import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testApplication, type TestApplication } from '../../../test/application.ts'
import { deskOn } from '../../../test/settings-desk.ts'
import { startSmtpServer } from '../../../test/smtp-server.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'

const HOURS = 3600
const OLD = { name: 'Lottery', address: 'no-reply@lottery.test' }
const NEW = { name: 'Lucky', address: 'hello@lucky.test' }

/** A product with a mail server, and the operator's commands. */
async function lotteryWithMail() {
  const server = await startSmtpServer()
  onTestFinished(() => server.close())
  const smtpUrl = `smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
  const site = await testApplication({ config: { smtpUrl, mailFrom: OLD }, monotonic: monotonicTime })
  onTestFinished(() => site.application.close())
  const desk = deskOn({ db: site.db }, site.runtime, { mailFrom: OLD })
  const pass = (seconds: number) => site.runtime.clock.set(site.runtime.clock.now() + seconds)
  return { site, server, desk, pass, settle: () => settle(site) }
}

/** Does all that is due; the demo's control answers when it is done. */
const settle = async (site: TestApplication): Promise<void> => void (await site.call('GET', '/dev/mail'))

const codeIn = (text: string | undefined) => /settings-confirm-mail ([\w-]+)/.exec(text ?? '')?.[1] ?? ''

describe('the sender of mails', () => {
  it('a new address sends itself a code, and every mail comes from it once the code was typed back', async () => {
    const { site, server, desk, settle: work } = await lotteryWithMail()
    expect(await desk.plan({ 'mail.from': NEW })).toContain('mail.from: hello@lucky.test gets a code')
    const applied = await desk.apply({ 'mail.from': NEW })
    expect(applied).toMatch(/^A mail with a code is on its way to hello@lucky\.test/)
    await work()
    const [test] = server.taken
    expect(test).toMatchObject({ sender: NEW.address, recipients: [NEW.address] })
    expect(test?.parsed).toMatchObject({ from: NEW, messageId: expect.stringMatching(/@lucky\.test>$/) as string })
    await site.signUp({ isVerified: false })
    await work()
    expect(server.taken.at(-1)?.parsed.from).toEqual(OLD)

    const code = codeIn(test?.parsed.text)
    expect(applied).not.toContain(code)
    expect(await desk.confirmMail(code.toLowerCase().replaceAll('-', ' '))).toContain(
      'Mails come from Lucky <hello@lucky.test> from now on.',
    )
    await vi.waitFor(async () => {
      await site.signUp({ isVerified: false })
      await work()
      expect(server.taken.at(-1)?.parsed.from).toEqual(NEW)
    })
    await expect(desk.confirmMail(code)).rejects.toThrow('No address waits for a code')
    const { settings } = await desk.exported()
    expect(settings).toMatchObject({ 'mail.from': NEW })
    // A name needs no code.
    expect(await desk.apply({ 'mail.from': { ...NEW, name: 'Luckier' } })).not.toContain('code')
    expect((await desk.exported()).settings).toMatchObject({ 'mail.from': { ...NEW, name: 'Luckier' } })
  })

  it('a code is good for 24 hours and five tries, and a later plan replaces it', async () => {
    const { server, desk, pass, settle: work } = await lotteryWithMail()
    const ask = async (): Promise<string> => {
      await desk.apply({ 'mail.from': NEW })
      await work()
      return codeIn(server.taken.at(-1)?.parsed.text)
    }
    await expect(desk.confirmMail('x')).rejects.toThrow('No address waits for a code.')
    const first = await ask()
    const second = await ask()
    await expect(desk.confirmMail(first)).rejects.toThrow(
      'not the code in the mail to hello@lucky.test. Tries left: 4.',
    )
    for (const left of [3, 2, 1, 0]) await expect(desk.confirmMail('x')).rejects.toThrow(`Tries left: ${left}.`)
    await expect(desk.confirmMail(second)).rejects.toThrow('was typed wrong 5 times. Plan and apply mail.from again')
    const third = await ask()
    pass(24 * HOURS)
    await expect(desk.confirmMail(third)).rejects.toThrow('could be used for 24 hours. Plan and apply mail.from again')
    await desk.confirmMail(await ask())
  })
})
