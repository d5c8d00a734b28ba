/// The studio: its page, and what it needs beside the API of LangGraph.
@NullMarked
package dev.superstep.server.internal.api.studio;

import org.jspecify.annotations.NullMarked;
