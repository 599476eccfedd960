import { type FindingTexts, text } from "./language.ts";

const notYours = "ليس عليك فعل شيء. إذا استمر الأمر فتواصل مع الدعم.";
const byItself = "ليس عليك فعل شيء: سنعيد الفحص تلقائيًا.";
const addBelow = "لدى {provider}، أضف السجل المعروض هنا كما هو تمامًا.";
const onItsWay = text("يجري إعداد سجلات {domain}", "ليس عليك فعل شيء: يستغرق ذلك عادةً بضع دقائق.");
const dnssecElsewhere = {
  operator: text("هناك خلل في DNSSEC لاسم يوجّه إليه {domain}", notYours),
  wait: text("هناك خلل في DNSSEC أعلى من {zone}", byItself),
};
const mayExpire = "قد لا تُجدَّد شهادة {domain} في الوقت المناسب";

export const ar: FindingTexts = {
  provider: "مزود DNS الخاص بك",
  texts: {
    not_registered: text(
      "النطاق {zone} غير مسجّل أو انتهت صلاحيته",
      "سجّل {zone} أو جدّده حيث تشتري النطاقات، أو تحقق من كتابته. قد يستغرق الأمر بعد التجديد بضع ساعات.",
    ),
    dnssec_ds_stale: text(
      "بقي DNSSEC للنطاق {zone} من مزود DNS سابق",
      "أوقف DNSSEC حيث اشتريت {zone} (احذف سجل DS). إلى أن يتم ذلك لا يستطيع كثير من الزوار الوصول إليه.",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "هناك خلل في DNSSEC للنطاق {zone}",
      "أوقف DNSSEC حيث اشتريت {zone} (احذف سجل DS)، أو أعد إعداده مع مزود DNS. إلى أن يتم ذلك لا يستطيع كثير من الزوار الوصول إليه.",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "خوادم أسماء للنطاق {zone} لا تستجيب",
      "تحقق من قائمة خوادم الأسماء حيث اشتريت {zone}. وإن كانت صحيحة فاسأل مزود DNS عن عطل محتمل.",
    ),
    ns_servfail: text(
      "خوادم أسماء للنطاق {zone} تجيب بخطأ",
      "اسأل مزود DNS عن سبب خطأ خوادم أسماء {zone}. كثيرًا ما يكون النطاق لم يُعدّ لديه أصلًا.",
    ),
    ns_lame: text(
      "خوادم أسماء للنطاق {zone} لا تعرفه",
      "حيث اشتريت {zone}، أدخل خوادم الأسماء التي يذكرها مزود DNS تمامًا.",
    ),
    ns_disagree: text(
      "خوادم أسماء {zone} غير متفقة فيما بينها",
      "حيث اشتريت {zone}، أدخل خوادم الأسماء التي يذكرها مزود DNS تمامًا. إلى أن يتم ذلك قد لا يرى بعض زوارك التغييرات.",
    ),
    ns_mixed_operators: text(
      "إعدادات DNS للنطاق {zone} موزعة على عدة مزودين",
      "أضف السجلات لدى كل واحد منهم، أو استخدم خوادم أسماء مزود واحد فقط.",
    ),
    dns_moved: text(
      "انتقلت إعدادات DNS للنطاق {zone} إلى {provider}",
      "أضف السجلات لدى {provider}. لم يعد للتغييرات لدى المزود السابق أي أثر.",
    ),
    zone_delegated: text(
      "للنطاق {zone} إعدادات DNS خاصة به",
      "أضف السجلات في إعدادات {zone}، لا في إعدادات النطاق الأعلى منه.",
    ),
    hostname_conflict: text(
      "تم ربط {domain} من قبل",
      "إذا كان لك فأثبت ذلك: أضف السجل المعروض هنا. على الحساب الآخر حينها أن يثبته أيضًا وإلا فقده.",
      {
        tenant: text(
          "{domain} مرتبط بحساب آخر",
          "أثبت ذلك الحساب ملكيته أيضًا ويحتفظ به حاليًا. إذا لم يعد له فاطلب إزالة سجله من إعدادات DNS لديك.",
        ),
        wait: text(
          "أثبتَّ أن {domain} لك",
          "ينتقل إليك في {time} ما لم يثبته الحساب الآخر أيضًا. اترك السجل في مكانه حتى ذلك الحين.",
        ),
      },
    ),
    hostname_contested: text(
      "أثبت شخص آخر أن {domain} له",
      "أضف السجل المعروض هنا قبل {time} للاحتفاظ به.",
      { wait: text("يريد شخص آخر {domain}، وسجلك موجود", byItself) },
    ),
    ownership_unanswered: text(
      "عدد خوادم أسماء {zone} التي تجيب غير كافٍ",
      "سنعيد السؤال تلقائيًا. إذا استمر الأمر ساعة فاسأل مزود DNS عن عطل محتمل.",
    ),
    ownership_cname: text(
      "هناك سجل آخر في مكان سجل الإثبات",
      "لدى {provider}، احذف سجل CNAME المسمى {name} ثم أضف السجل المعروض هنا.",
    ),
    ownership_wildcard: text(
      "الإثبات موجود في سجل لجميع الأسماء (*)",
      "لدى {provider}، احذف ذلك السجل وأضف السجل المعروض هنا باسمه الدقيق.",
    ),
    ownership_partial: text("سجل الإثبات في طريقه إلى الظهور", byItself),
    ownership_altered: text(
      "تغيّرت قيمة سجل الإثبات",
      "لدى {provider}، أدخل القيمة مرة أخرى كما هي هنا تمامًا، من دون علامات اقتباس أو مسافات.",
    ),
    ownership_doubled_name: text(
      "اسم سجل الإثبات يحتوي على {zone} مرتين",
      "يضيف {provider} الاسم {zone} تلقائيًا. غيّر الاسم ليكون كما هو معروض هنا.",
    ),
    ownership_wrong_name: text(
      "سجل الإثبات باسم غير صحيح",
      "القيمة صحيحة والاسم غير صحيح: السجل موجود باسم {observed}. غيّر الاسم ليكون كما هو معروض هنا.",
    ),
    ownership_other_token: text(
      "سجل الإثبات من إعداد سابق",
      "لدى {provider}، استبدل بقيمته القيمة المعروضة هنا.",
    ),
    ownership_mismatch: text("قيمة سجل الإثبات مختلفة", addBelow),
    ownership_missing: text("سجل الإثبات غير موجود بعد", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "لا يُعتد للنطاق {zone} إلا بالسجلات لدى {provider}",
      "إذا كنت قد أضفتها فتحقق من المكان: قد يعرض المتجر الذي اشتريت منه {zone} إعدادات DNS لا أثر لها.",
    ),
    ownership_seen: text("سجل الإثبات موجود", byItself, {
      tenant: text("سجل الإثبات موجود", "ابدأ من جديد للمتابعة."),
    }),
    domain_connect_cancelled: text(
      "لم يتم تأكيد شيء لدى {provider}",
      "ارجع إلى {provider} وأكّد هناك بالحساب الذي يملك {zone}، أو أضف السجلات بنفسك.",
    ),
    domain_connect_refused: text(
      "لم يُنشئ {provider} السجلات",
      "حاول مرة أخرى بعد قليل بالحساب الذي يملك {zone}، أو أضف السجلات بنفسك.",
    ),
    provider_auth: text(
      "يرفض {provider} وصولنا",
      "أضف السجلات بنفسك كما هي معروضة هنا. تجديد الوصول على الموقع الذي تربط النطاق به.",
    ),
    credential_failing: text(
      "يرفض {provider} وصولنا",
      "يعمل {domain} كما هو. تجديد الوصول على الموقع الذي تربط النطاق به.",
    ),
    provider_unsupported: text(
      "لا يمكننا كتابة السجلات لدى {provider}",
      "أضف السجلات بنفسك كما هي معروضة هنا.",
    ),
    provider_not_delegated: text(
      "تُدار إعدادات DNS للنطاق {zone} في مكان آخر غير الذي يمكننا الكتابة فيه",
      "أضف السجلات لدى {provider} كما هي معروضة هنا.",
    ),
    provider_busy: text(
      "لا يقبل {provider} التغييرات حاليًا",
      "سنحاول مرة أخرى تلقائيًا. إذا كنت مستعجلًا فأضف السجلات بنفسك.",
    ),
    provider_write_failed: text(
      "تعذرت كتابة السجلات لدى {provider}",
      "حاول مرة أخرى أو أضف السجلات بنفسك.",
    ),
    record_loop: text(
      "الاسم {name} يدور في حلقة",
      "لدى {provider}، ضع مكان سجل CNAME المسمى {name} ما هو معروض هنا.",
    ),
    record_proxied: text(
      "الاسم {name} خلف وكيل (proxy)",
      "لدى {provider}، عدّل السجل {name} وأوقف الوكيل («DNS only»، السحابة الرمادية). لا يمكننا رؤية السجل خلفه.",
    ),
    proxy_to_proxy: text(
      "الاسم {name} خلف وكيل (proxy) لا يسمح لنا بالمرور",
      "أوقف الوكيل للاسم {name} («DNS only»، السحابة الرمادية)، أو تواصل مع الدعم.",
    ),
    record_flattened: text(
      "يصل {name} إلى هنا بالعنوان بدلًا من الاسم",
      "لدى {provider}، ضع مكان سجلات العناوين ما هو معروض هنا.",
    ),
    aaaa_leftover: text(
      "ما زال هناك عنوان قديم عند {name}",
      "لدى {provider}، احذف سجل AAAA ذا القيمة {observed} من {name}: يذهب إليه جزء من زوارك.",
    ),
    a_leftover: text(
      "ما زال هناك عنوان آخر عند {name}",
      "لدى {provider}، احذف {observed} من {name}: يذهب إليه جزء من زوارك.",
    ),
    https_leftover: text(
      "ما زال هناك سجل HTTPS قديم عند {name}",
      "لدى {provider}، احذف السجل من نوع HTTPS عند {name}: تتبعه بعض المتصفحات إلى مكان آخر.",
    ),
    policy_duplicate: text(
      "ستكون هناك سياستا بريد عند {name}",
      "لدى {provider}، أضف القيمة المطلوبة إلى السجل الموجود بدلًا من إضافة سجل ثانٍ.",
    ),
    record_conflict: text(
      "هناك سجلات أخرى تعيق عند {name}",
      "لدى {provider}، احذف أولًا ما هو مذكور هنا أو انقله إذا لم يكن هناك ما يحتاج إليه. سجلات MX تستقبل بريدك: اربط اسمًا آخر إذا أردت الاحتفاظ بها.",
    ),
    record_target_doubled: text(
      "هدف {name} ينتهي بالاسم {zone}",
      "اعتبر {provider} الهدف اسمًا قصيرًا. أدخله بنقطة في آخره.",
    ),
    record_doubled_name: text(
      "اسم السجل يحتوي على {zone} مرتين",
      "يضيف {provider} الاسم {zone} تلقائيًا. غيّر الاسم ليكون كما هو معروض هنا.",
    ),
    private_address: text(
      "يوجّه {name} إلى عنوان لا تعرفه إلا شبكتك",
      "لدى {provider}، ضع مكان ما هو موجود عند {name} ما هو معروض هنا.",
    ),
    apex_needs_alias: text(
      "لا يمكن للاسم {name} أن يتبع اسمًا آخر لدى {provider}",
      "ابحث هناك عن نوع سجل ALIAS أو ANAME، أو اربط ⁨www.{name}⁩ بدلًا منه ووجّه {name} إليه.",
      {
        operator: text(
          "لا يمكن للاسم {name} أن يتبع اسمًا آخر لدى {provider}",
          "اربط ⁨www.{name}⁩ بدلًا منه، أو تواصل مع الدعم.",
        ),
      },
    ),
    record_of_another: text(
      "لدى {name} سجل اتصال آخر",
      "لدى {provider}، ضع مكان ما هو موجود عند {name} ({observed}) ما هو معروض هنا: لكل اتصال قيمته الخاصة.",
    ),
    record_mismatch: text(
      "يوجّه {name} إلى مكان آخر",
      "لدى {provider}، ضع مكان ما هو موجود عند {name} ({observed}) ما هو معروض هنا.",
    ),
    record_missing: text("هناك سجل للاسم {name} غير موجود بعد", addBelow, { wait: onItsWay }),
    servers_disagree: text(
      "التغيير في طريقه إلى الظهور",
      "ظهر لدى بعض خوادم الأسماء، وعادةً ما تلحق بها البقية خلال دقائق. سنعيد الفحص تلقائيًا.",
    ),
    records_unanswered: text(
      "خوادم أسماء {zone} لا تستجيب حاليًا",
      "سنعيد السؤال تلقائيًا. إذا استمر الأمر ساعة فاسأل مزود DNS عن عطل محتمل.",
    ),
    resolvers_failing: text(
      "أجزاء من الإنترنت لا تجد {zone} حاليًا",
      "كثيرًا ما يزول ذلك. إذا استمر فاسأل مزود DNS.",
    ),
    wildcard_answers: text(
      "سجل لجميع الأسماء (*) يجيب عن {name}",
      "لدى {provider}، أضف جميع السجلات المعروضة هنا معًا: عندها لا يعود السجل الآخر يجيب عن {name}.",
    ),
    caa_forbidden: text(
      "سجل CAA يمنع شهادة {domain}",
      "لدى {provider}، أضف السجل المعروض هنا. يمكن أن تبقى سجلات CAA الأخرى.",
      { operator: text("شهادة {domain} ممنوعة", notYours) },
    ),
    caa_unanswered: text(
      "خوادم أسماء {zone} لا تجيب عن كل الأسئلة",
      "كثيرًا ما يزول ذلك. إذا استمر فاسأل مزود DNS لماذا لا تجيب خوادمه عن أسئلة سجلات CAA.",
    ),
    certificate_revoked: text("يجب تجديد شهادة {domain}", notYours),
    certificate_expired: text("انتهت صلاحية شهادة {domain}", notYours),
    certificate_at_risk: text(mayExpire, "صحّح ما هو معروض هنا، ثم يستمر التجديد تلقائيًا.", {
      operator: text(mayExpire, notYours),
      tenant: text("تنتهي شهادة {domain} قريبًا", notYours),
    }),
    ca_rate_limited: text(
      "على الشهادة انتظار دورها",
      "ليس عليك فعل شيء: تُطلب مرة أخرى حالما يُسمح بذلك. البدء من جديد لا يسرّع الأمر.",
    ),
    ca_unavailable: text("لا تُصدر شهادات حاليًا", "ليس عليك فعل شيء: تُطلب مرة أخرى تلقائيًا."),
    certificate_cached: text(
      "قد تظل السجلات القديمة ظاهرة حتى {time}",
      "ليس عليك فعل شيء: تصل الشهادة في موعد أقصاه {time}.",
    ),
    certificate_failed: text(
      "تعذر الحصول على شهادة {domain}",
      "سنحاول مرة أخرى تلقائيًا. ليس عليك فعل شيء، وإذا استمر الأمر ساعة فتواصل مع الدعم.",
    ),
    origin_unreachable: text("الموقع خلف {domain} لا يستجيب", notYours),
    origin_missing: text("الموقع خلف {domain} لم يُعدّ بعد", notYours),
    check_failed: text(
      "لا يمكننا فحص {domain} حاليًا",
      "أعد الفحص هنا. إذا لم ينفع ذلك فتواصل مع الدعم.",
    ),
    gave_up: text(
      "توقفنا عن فحص {domain}",
      "صحّح ما هو مذكور هنا ثم ابدأ من جديد. تبقى سجلاتك صالحة.",
    ),
    archived_still_points_here: text(
      "فُصل {domain}، لكن سجلاته ما زالت توجّه إلى هنا",
      "لدى {provider}، احذف السجلات المذكورة هنا.",
    ),
    records_changed: text(
      "يحتاج {domain} إلى سجلات غير السابقة",
      "لدى {provider}، ضع مكان السجلات القديمة ما هو معروض هنا. يعمل نطاقك أثناء ذلك.",
      { wait: onItsWay },
    ),
    records_cached: text(
      "كل شيء صحيح، وما زالت أجزاء من الإنترنت تحتفظ بالسجلات القديمة",
      "ليس عليك فعل شيء: سيظهر التغيير في كل مكان قريبًا.",
    ),
    slow_to_change: text(
      "قد يرى بعض الزوار الموقع القديم مدة من الوقت",
      "تبقى السجلات القديمة محفوظة حتى {hours} ساعات بعد استبدالها.",
    ),
    certificate_pending: text(
      "يجري الحصول على شهادة {domain}",
      "ليس عليك فعل شيء: يستغرق ذلك عادةً أقل من دقيقة.",
    ),
    apex_by_address: text(
      "يصل {domain} إلى هنا بالعنوان",
      "ليس عليك فعل شيء الآن. إذا تغيّر العنوان يومًا فسنخبرك.",
    ),
    www_not_connected: text(
      "الاسم {name} لا يوجّه إلى هنا",
      "كثيرًا ما يكتب الزوار أيًا من الصيغتين. اربط {name} أيضًا.",
    ),
    email_mx_missing: text(
      "النطاق {zone} لا يستقبل البريد",
      "لدى {provider}، أضف سجلات MX المعروضة هنا أو التي يذكرها مزود البريد.",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "يذهب بريد {zone} إلى مزود آخر",
      "إذا انتقلت صناديق بريدك فاستبدل جميع سجلات MX، فمع وجود الاثنين يضيع جزء من بريدك.",
    ),
    email_spf_multiple: text(
      "للنطاق {zone} عدة سجلات SPF، والمستقبِلون يتجاهلونها كلها",
      "لدى {provider}، أبقِ واحدًا يضم جميع المرسلين واحذف الباقي.",
    ),
    email_spf_missing: text(
      "سجل SPF للنطاق {zone} لا يذكر مزود بريدك",
      "لدى {provider}، اجعل سجل SPF كما هو معروض هنا.",
    ),
    email_spf_broken: text(
      "يرفض المستقبِلون سجل SPF للنطاق {zone}",
      "لدى {provider}، أزل منه المرسلين الذين لم تعد تستخدمهم.",
    ),
    email_dkim_missing: text("ينقص {zone} سجل DKIM، فلا يوثق ببريده", addBelow, {
      wait: onItsWay,
    }),
    email_dmarc_missing: text(
      "ليست للنطاق {zone} سياسة DMARC صالحة",
      "لدى {provider}، تأكد من وجود سياسة واحدة فقط.",
      { wait: onItsWay },
    ),
    check_incomplete: text("تعذر فحص كل شيء في الوقت المحدد", "أعد الفحص بعد قليل."),
  },
};
