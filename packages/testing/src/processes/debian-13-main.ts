import { makeDebian13 } from "./debian-13.ts";

makeDebian13();
