// An extension of promptfoo. Before anything runs it writes the tests as promptfoo loaded them to PROOF_TESTS; after
// each answer it adds the verdict to PROOF_VERDICTS.
const { appendFileSync, writeFileSync } = require("node:fs");

module.exports.watch = (hook, context) => {
  if (hook === "beforeAll") {
    writeFileSync(process.env.PROOF_TESTS, JSON.stringify(context.suite.tests));
  }
  if (hook === "afterEach") {
    const { provider, success } = context.result;
    const id = context.test.metadata.evalset.id;
    appendFileSync(process.env.PROOF_VERDICTS, `${JSON.stringify({ provider: provider.id, id, success })}\n`);
  }
};
