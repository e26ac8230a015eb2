/** Shown in place of a member that the answer lacks, because the caller may not see it. */
export const hiddenBelowManage = "visible only with the capability manage";
