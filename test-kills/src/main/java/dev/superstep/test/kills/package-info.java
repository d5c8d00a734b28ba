/// Processes that tests kill, at a chosen write to their store. Start at [ChildJvm].
@org.jspecify.annotations.NullMarked
package dev.superstep.test.kills;
