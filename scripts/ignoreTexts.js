/** Keeps the mutation tests from changing sentences for people: a decision is tested by its code and its exit code, not by its words. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: {
      shouldIgnore: (path) =>
        path.isTaggedTemplateExpression() && path.node.tag.name === 't' ? 'a sentence for people' : undefined,
    },
  },
]
