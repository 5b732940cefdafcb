/** Loaded before everything else: a process that parses each schema a few times gains nothing from compiling them. */
import * as z from "zod";

z.config({ jitless: true });
