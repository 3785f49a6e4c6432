import { Suspense, useEffect, useRef } from 'react'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { partsOf, useAddress } from '../../shared/address.ts'
import type { Me } from '../../shared/calls.ts'
import { MeContext } from '../../shared/session.ts'
import { SigningProvider } from '../../shared/signing/signing-provider.tsx'
import { CrashBoundary } from '../crash-boundary.tsx'
import { MissingPage } from '../missing-page.tsx'
import { PAGES } from '../pages.tsx'
import { Bar } from './bar.tsx'
import { Menu } from './menu.tsx'
import styles from './shell.module.css'

/** The frame of every page: the ink bar, the menu, and the dialog that signs. */
export default function Shell({ me }: { me: Me }) {
  const { path } = useAddress()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    // As after loading a page, the keyboard starts at its beginning.
    main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <MeContext value={me}>
      <SigningProvider>
        <a href="#content" className={styles['skip']}>
          Skip to the page
        </a>
        <Bar me={me} />
        <div className={styles['body']}>
          <Menu />
          <main ref={main} id="content" tabIndex={-1} className={styles['main']}>
            <CrashBoundary key={path}>
              <Suspense fallback={<SkeletonRows rows={6} />}>
                <Content path={path} />
              </Suspense>
            </CrashBoundary>
          </main>
        </div>
      </SigningProvider>
    </MeContext>
  )
}

function Content({ path }: { path: string }) {
  for (const { pattern, Screen } of PAGES) {
    const parts = partsOf(pattern, path)
    if (parts !== null) return <Screen {...parts} />
  }
  return <MissingPage />
}
