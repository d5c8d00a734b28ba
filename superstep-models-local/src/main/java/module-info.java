/// Language models that run on this machine, in a child process, from a GGUF file.
///
/// Start at [dev.superstep.model.local.LocalModels], which finds and opens a model;
/// [dev.superstep.model.local.ModelPull] fetches its weights.
@org.jspecify.annotations.NullMarked
module dev.superstep.models.local {
  requires transitive dev.superstep.agent;
  requires llama;

  exports dev.superstep.model.local;

  // The line protocol between parent and child is records that no user names.
  opens dev.superstep.model.local to
      tools.jackson.databind;
}
