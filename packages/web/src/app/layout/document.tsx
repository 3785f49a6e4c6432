import { Outlet, Scripts } from '@tanstack/react-router'
import { lazy } from 'react'
import { useConfig } from '../../shared/config.ts'
import { useHead } from '../document/use-head.ts'
import { LaterPart } from '../../shared/later-part.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { SessionMoves } from './session-moves.tsx'
import { TestModeStrip } from './test-mode-strip.tsx'
import { TopBar } from './top-bar.tsx'
import styles from './document.module.css'
// Imported here and not with the footer's script, because the HTML has the footer and its styles from the start.
import './footer.module.css'

const loadFooter = async () => ({ default: (await import('./footer.tsx')).Footer })
const Footer = lazy(loadFooter)
const ComingTexts = lazy(() => import('./coming-texts.tsx'))
loadFooter().catch(() => undefined)

/**
 * The whole HTML document. The server puts styles, fonts, the entry script and the page's description into its head
 * (entry-server.tsx, document/site-head.ts and page-head.ts); React leaves unknown elements there in place.
 */
export function Document() {
  const { network, comingTexts } = useConfig()
  useHead()
  return (
    // A script in the head marks the document of a signed-in visitor before the first paint.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      </head>
      <body className={styles['body']}>
        <a className={styles['skip']} href="#main">
          Skip to the content
        </a>
        {network !== 'mainnet' && <TestModeStrip />}
        {comingTexts && (
          <LaterPart>
            <ComingTexts texts={comingTexts} />
          </LaterPart>
        )}
        <TopBar />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
        <LaterPart>
          <Footer />
        </LaterPart>
        <BottomBar />
        <SessionMoves />
        {/* The router's state, which only the server writes: the condition keeps the code for it out of the browser. */}
        {import.meta.env.SSR && <Scripts />}
      </body>
    </html>
  )
}
