/// Child processes confined by the means of the kernel, in tiers.
///
/// Start at [dev.superstep.sandbox.Sandbox].
@org.jspecify.annotations.NullMarked
module dev.superstep.sandbox {
  requires transitive org.jspecify;

  exports dev.superstep.sandbox;
}
