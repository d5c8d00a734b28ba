/// The JSON forms of LangGraph's API: states, messages, questions, graphs and their schemas.
@NullMarked
package dev.superstep.server.internal.wire;

import org.jspecify.annotations.NullMarked;
