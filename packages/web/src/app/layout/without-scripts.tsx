import { useRouter } from '@tanstack/react-router'
import { Link } from '@fairball/ui/link.tsx'
import { paths } from '../../shared/paths.ts'

/** Only in the server's document, and ignored by a browser with scripts. Loading texts would be wrong here. */
const STYLES = 'main :is(h1,[role="status"]):not(noscript *){display:none}noscript p{margin-top:1rem}'

/**
 * Replaces a page that only the browser can render, for visitors without scripts: the reason, and the pages they can
 * still read.
 */
export function WithoutScripts() {
  const { ssr } = useRouter().options
  return (
    <>
      <style nonce={ssr?.nonce}>{STYLES}</style>
      <h1>This page needs JavaScript</h1>
      <p>
        It is switched off in this browser. Everything that belongs to an account needs it: opening one, logging in,
        playing, and your own results.
      </p>
      <p>
        The rest can be read without it: <Link href={paths.home()}>the games and their jackpots</Link>, all draws and
        their numbers, <Link href={paths.fairness()}>how a draw is proved</Link>,{' '}
        <Link href={paths.whereTheMoneyGoes()}>where the money goes</Link>, <Link href={paths.terms()}>the terms</Link>{' '}
        and <Link href={paths.helpAndContactUs()}>how to reach us</Link>.
      </p>
    </>
  )
}
