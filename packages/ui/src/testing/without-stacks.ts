import * as React from 'react'

/**
 * For each element that React makes in development it keeps a stack trace, which a tenth of the components' tests is
 * spent on. Only warnings show them, and after ten thousand in a row React makes no more: so it makes none here.
 */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
  string,
  object
>
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => 10_000,
  set() {
    // React counts from 0 every second.
  },
})
