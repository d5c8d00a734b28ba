/// Anthropic over its own library.
///
/// Start at [dev.superstep.model.anthropic.AnthropicModels].
@org.jspecify.annotations.NullMarked
module dev.superstep.models.anthropic {
  requires transitive dev.superstep.agent;
  requires com.anthropic.core;
  requires dev.superstep.models;
  requires kotlin.stdlib;
  requires tools.jackson.databind;

  exports dev.superstep.model.anthropic;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.anthropic.AnthropicModels;
}
