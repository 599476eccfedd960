import type { WarningTexts } from "./en.ts";

export const ar: WarningTexts = {
  not_registered: "النطاق {zone} غير مسجّل بعد. سجّله أولًا أو تحقق من كتابته.",
  ending_unknown: "ينتهي {domain} بامتداد غير موجود. هل تقصد {meant}؟",
  mixed_script: "تحقق من أن {domain} هو الاسم المقصود: يجمع «{label}» حروفًا من عدة أبجديات.",
  latin_lookalike:
    "تحقق من أن {domain} هو الاسم المقصود: في «{label}» حروف قد تلتبس بالحروف اللاتينية.",
  dnssec_broken:
    "هناك خلل في DNSSEC للنطاق {zone}، فلا يستطيع كثير من الزوار الوصول إليه. أوقف DNSSEC حيث اشتريت {zone} أو أعد إعداده.",
  ns_failing: "خوادم أسماء {zone} لا تجيب عنه. تحقق منها حيث اشتريت {zone}.",
  ns_mixed_operators:
    "إعدادات DNS للنطاق {zone} موزعة على عدة مزودين. السجلات مطلوبة لدى كل واحد منهم.",
  provider_ambiguous:
    "خوادم أسماء {zone} تخص عدة علامات تجارية ({providers}). تأكد من مكان إدارة إعدادات DNS.",
  domain_connect_stale:
    "يعرض {provider} إنشاء السجلات، لكن {zone} يستخدم خوادم أسماء أخرى. تأكد من أن إعدادات DNS ما زالت تُدار هناك.",
  zone_delegated: "للنطاق {zone} إعدادات DNS خاصة به: تُضاف السجلات هناك.",
  caa_unanswered: "خوادم أسماء {zone} لا تجيب عن كل الأسئلة. من دون إجابة لا يمكن إصدار شهادة.",
  caa_forbidden: "سجل CAA للاسم {name} يمنع الشهادة. يجب تغييره قبل أن يعمل {domain}.",
  record_proxied:
    "الاسم {name} خلف وكيل (proxy). أوقف الوكيل لهذا السجل («DNS only»، السحابة الرمادية).",
  behind_cdn:
    "الاسم {name} خلف {cdn}، ولا بأس بذلك: اضبط هدفه هناك على السجل المعروض، مع وضع التشفير «Full (strict)».",
  aaaa_leftover: "احذف سجل AAAA ذا القيمة {observed} من {name}: سيذهب إليه جزء من زوارك.",
  https_leftover: "احذف سجل HTTPS للاسم {name}: ستذهب بعض المتصفحات إلى مكان آخر.",
  slow_to_change: "قد يستغرق الأمر حتى {hours} ساعات إلى أن يرى جميع الزوار التغيير.",
  apex_needs_alias:
    "يحتاج {name} إلى سجل من نوع ALIAS أو ANAME أو إلى عناوين ثابتة: لا يمكن استخدام CNAME هناك.",
  apex_by_address: "يصل {name} إلى هنا بالعنوان. إذا تغيّر العنوان يومًا فسنخبرك.",
  wildcard_answers: "يجيب الآن سجل لجميع الأسماء (*) عن {name}. أضف جميع السجلات معًا.",
  check_incomplete: "لم تجب بعض خوادم الأسماء في الوقت المحدد. أعد الفحص بعد قليل.",
};
