/// Child processes confined by the means of the kernel, in tiers.
///
/// Start at [dev.superstep.sandbox.Sandbox]. The tier by Landlock makes native calls: start Java
/// with `--enable-native-access=ALL-UNNAMED`, or `=dev.superstep.sandbox` on the module path.
/// Without that nothing warns, and the tier says that it is not available.
@org.jspecify.annotations.NullMarked
module dev.superstep.sandbox {
  requires transitive org.jspecify;

  exports dev.superstep.sandbox;
}
