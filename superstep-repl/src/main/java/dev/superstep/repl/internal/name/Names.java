package dev.superstep.repl.internal.name;

import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.Signature;
import java.util.Map;
import java.util.Set;

/// The names that are there before a cell runs.
///
/// @param session variables that earlier cells set
/// @param given builtins and what the host granted; with a signature if it is a function
/// @param signatures of the functions among them
/// @param reserved those that no cell may bind
/// @param members of the modules among them
/// @param hosts the functions of the host among them, which look at calls
public record Names(
    Set<String> session,
    Set<String> given,
    Map<String, Signature> signatures,
    Set<String> reserved,
    Map<String, Set<String>> members,
    Map<String, HostFunction> hosts) {}
