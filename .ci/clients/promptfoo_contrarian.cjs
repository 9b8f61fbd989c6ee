// A provider for promptfoo whose answers are wrong, so that every assertion has to fail.
module.exports = class Contrarian {
  id() {
    return "contrarian";
  }

  async callApi() {
    return { output: "what no row of the golden set expects" };
  }
};
