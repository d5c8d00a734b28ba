/// OpenAI over its own library: responses, and chat completions.
///
/// Start at [dev.superstep.model.openai.OpenAiModels].
@org.jspecify.annotations.NullMarked
module dev.superstep.models.openai {
  requires transitive dev.superstep.agent;
  requires dev.superstep.models;
  requires kotlin.stdlib;
  requires openai.java.core;
  requires tools.jackson.databind;

  exports dev.superstep.model.openai;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.openai.OpenAiModels;
}
