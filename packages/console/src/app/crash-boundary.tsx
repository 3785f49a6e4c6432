import { Component } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'

/** Shows a page in place of one that failed while it was rendered, or whose code could not be loaded. */
export class CrashBoundary extends Component<{ children: ReactNode }, { isCrashed: boolean }> {
  override state = { isCrashed: false }

  static getDerivedStateFromError() {
    return { isCrashed: true }
  }

  override render() {
    if (!this.state.isCrashed) return this.props.children
    return <LoadFailed text="This page failed. Nothing was done." onRetry={() => location.reload()} />
  }
}
