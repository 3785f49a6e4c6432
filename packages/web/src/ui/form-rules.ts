/** What is wrong with each value of a form; null or absent where nothing is. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string | null }

/**
 * Makes the schema of a form out of rules that see all its values, in the shape of Standard Schema that `useSchemaForm` takes.
 *
 * @param problemsOf the sentence to show beside each field
 */
export function formRules<Values extends object>(problemsOf: (values: Values) => Problems<Values>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'fairball',
      validate(input: unknown) {
        // The form hands over its own values, whose type its caller has stated.
        const values = input as Values
        const issues = Object.entries(problemsOf(values)).flatMap(([name, message]) =>
          typeof message === 'string' ? [{ message, path: [name] }] : [],
        )
        return issues.length === 0 ? { value: values } : { issues }
      },
    },
  }
}
